// expat for Swift. Every Debian builds it with document types (XML_DTD); its header hides the limits against entities that
// grow ("billion laughs", expat 2.4) from programs that do not say so themselves.
#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H
#ifndef XML_DTD
#define XML_DTD 1
#endif
#include <expat.h>

/// Limits what entities add: the whole may be `amplification` times the document, counted from `threshold` bytes on.
static inline int cexpat_limit_entities(XML_Parser parser, float amplification, unsigned long long threshold) {
    return XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, amplification)
        && XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, threshold);
}

#endif
