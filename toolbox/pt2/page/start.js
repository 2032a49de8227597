// Shows what the page holds: one program, or two and what differs between them.

const read = (id) => document.getElementById(id)?.textContent;
const programs = ["program", "other"].map(read).filter((text) => text !== undefined).map(readProgram);
if (programs.length === 2) {
  showDifferences(programs, JSON.parse(read("differences")));
} else {
  showProgram(programs[0]);
}
