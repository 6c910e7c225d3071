# Two parameters for the kernel's i2c-stub, which the scenarios write: an errno with which every transfer fails, and transfers that do
# not return until their process is killed.
1i #include <linux/sched/signal.h>
/^static int stub_chips_nr;/a static int fault;\
module_param(fault, int, 0644);\
static bool hang;\
module_param(hang, bool, 0644);
/Search for the right chip/i \	while (hang && !fatal_signal_pending(current))\
		schedule_timeout_killable(1);\
	if (fault)\
		return -fault;
