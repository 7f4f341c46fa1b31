/* Debian's libxml2 is built with ICU and its headers would bring in ICU's, whose types contradict those of the copy
   inside Foundation: whether a build fails then depends on which module the compiler happens to load first. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
