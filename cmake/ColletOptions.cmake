# Refuses options that would do nothing: of backends that are not written yet, and of names that nobody declared.

list(JOIN COLLET_BACKENDS ", " collet_backends)
foreach(id IN LISTS COLLET_UNWRITTEN_BACKENDS)
  string(TOUPPER "${id}" ID)
  if(COLLET_${ID})
    message(FATAL_ERROR "COLLET_${ID} is ${COLLET_${ID}}, but the backend ${id} is not written yet. "
      "This version has: ${collet_backends}.")
  endif()
endforeach()

# A variable of the command line has no type until somebody declares it. In a larger build it may be the parent's.
if(PROJECT_IS_TOP_LEVEL)
  get_cmake_property(variables CACHE_VARIABLES)
  list(FILTER variables INCLUDE REGEX "^COLLET_")
  foreach(variable IN LISTS variables)
    get_property(type CACHE "${variable}" PROPERTY TYPE)
    if(type STREQUAL "UNINITIALIZED" AND NOT "${${variable}}" MATCHES "^(OFF|0|)$")
      message(FATAL_ERROR "Collet has no option ${variable}, which is set to (${${variable}}). "
        "The backends of this version are ${collet_backends}, each with an option COLLET_<BACKEND>; "
        "`cmake -LH` lists all options.")
    endif()
  endforeach()
endif()
