// Shows the page's one program, or two with their differences.

const read = (id) => document.getElementById(id)?.textContent;
const programs = ["program", "other"].map(read).filter((text) => text !== undefined).map(readProgram);
if (programs.length === 2) {
  showDifferences(programs, JSON.parse(read("differences")));
} else {
  showProgram(programs[0], read("overlay"), read("findings"));
}
