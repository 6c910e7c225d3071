// expat for Swift. Debian builds it with document types (XML_DTD); its header hides the limits against entity expansion
// ("billion laughs", expat 2.4) from programs that do not define XML_DTD.
#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H
#ifndef XML_DTD
#define XML_DTD 1
#endif
#include <expat.h>

/// Limits entity expansion: from `threshold` bytes up, the result may be at most `amplification` times the document.
static inline int cexpat_limit_entities(XML_Parser parser, float amplification, unsigned long long threshold) {
    return XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, amplification)
        && XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, threshold);
}

#endif
