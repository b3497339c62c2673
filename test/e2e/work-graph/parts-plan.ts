/** A quick graph of commands: two side by side, a group whose first alternative fails its check, and one that waits for all. */
export const PLAN = `
goal: The parts make a whole
base_case:
  - item: The whole has all parts
    check: { command: grep -q one whole.txt && grep -q two whole.txt && grep -q good whole.txt }
  - item: Nothing bad is left
    check: { not_command: grep -q bad whole.txt }
  - item: There is a whole
    check: { file: whole.txt }
groups: [{ name: third }]
atoms:
  - { id: A1, title: First part, run: echo one > one.txt, touches: [one.txt],
      checks: [{ item: it is there, check: { command: grep -q one one.txt } }] }
  - { id: A2, title: Second part, run: echo two > two.txt, touches: [two.txt] }
  - { id: A3, title: Third part made badly, group: third, run: echo bad > three.txt, touches: [three.txt],
      checks: [{ item: it is good, check: { command: grep -q good three.txt } }] }
  - { id: A4, title: Third part made well, group: third, run: echo good > three.txt, touches: [three.txt],
      checks: [{ item: it is good, check: { command: grep -q good three.txt } }] }
  - { id: A5, title: The whole, depends_on: [A1, A2, third], run: cat one.txt two.txt three.txt > whole.txt,
      touches: [whole.txt], checks: [{ item: three lines, check: { command: test $(wc -l < whole.txt) -eq 3 } }] }
`;
