// Everything a program needs to build an index.
#pragma once

#include "postern/analyzer.h"
#include "postern/directory.h"
#include "postern/document.h"
#include "postern/error.h"
#include "postern/field_type.h"
#include "postern/limits.h"
#include "postern/writer.h"
