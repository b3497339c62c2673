// Loaded into a process before the program (node --import): its clock shows what a file says, in milliseconds since 1970,
// as long as there is that file.
import { readFileSync } from 'node:fs';

const file = process.env['TEST_CLOCK'];
if (file !== undefined) Date.now = () => Number(readFileSync(file, 'utf8'));
