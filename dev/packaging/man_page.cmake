# cmake -DNAME=pt2 -DEXECUTABLE=build/bin/pt2 -DVERSION=0.2.0 -DOUTPUT=pt2.1 -P man_page.cmake: writes a manual page from the --help of
# EXECUTABLE and its subcommands.

function(help RESULT)
  execute_process(COMMAND ${EXECUTABLE} ${ARGN} --help OUTPUT_VARIABLE text RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${EXECUTABLE} ${ARGN} --help failed: ${failed}")
  endif()
  string(STRIP "${text}" text)
  set(${RESULT} "${text}" PARENT_SCOPE)
endfunction()

# In roff, a dot or quote at the start of a line is a request.
function(verbatim RESULT TEXT)
  string(REPLACE "\\" "\\e" text "${TEXT}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${RESULT} ".nf\n${text}\n.fi\n" PARENT_SCOPE)
endfunction()

help(overview)
string(REGEX MATCH "^[^\n]*" summary "${overview}")
string(REGEX REPLACE "\\.$" "" summary "${summary}")
string(REGEX REPLACE "^.*\nSubcommands:" "" list "${overview}")
string(REGEX MATCHALL "\n  [a-z]+ " subcommands "${list}")

string(TOUPPER ${NAME} title)
verbatim(text "${overview}")
set(page ".TH ${title} 1 \"\" \"libpt2 ${VERSION}\"\n.SH NAME\n${NAME} \\- ${summary}\n.SH DESCRIPTION\n${text}.SH COMMANDS\n")
foreach(subcommand IN LISTS subcommands)
  string(STRIP "${subcommand}" subcommand)
  help(text ${subcommand})
  verbatim(text "${text}")
  string(APPEND page ".SS ${NAME} ${subcommand}\n${text}")
endforeach()
file(WRITE ${OUTPUT} "${page}")
