import { message } from '../core/messages/message.ts';

export const tooLong = message(
  'fleet.too-long',
  'The request is too long for the queue, which carries at most {most:number} bytes.',
);

// The address of a queue

export const notAnAddress = message(
  'fleet.not-an-address',
  'The address of a queue looks like postgres://user@host:5432/database. Its password belongs into PGPASSWORD or ~/.pgpass.',
);
export const unknownSetting = message(
  'fleet.unknown-setting',
  'The address of a queue has no setting "{name}", only sslmode, sslrootcert and host.',
);
export const socketNotAPath = message(
  'fleet.socket-not-a-path',
  'The setting "host" in the address of a queue is the folder of a socket, such as /run/postgresql.',
);
export const unknownMode = message(
  'fleet.unknown-mode',
  'The setting "sslmode" in the address of a queue is one of {modes}.',
);
export const noCertificate = message('fleet.no-certificate', 'The certificate {file} cannot be read.');
export const notEncrypted = message(
  'fleet.not-encrypted',
  'The connection to {host} is not encrypted, because the address of the queue says so: anybody on the way can read and change prompts and answers.',
);
export const notChecked = message(
  'fleet.not-checked',
  "The server's certificate is not checked, because the address of the queue says so: anybody who can answer in the place of {host} can read and change prompts and answers.",
);
export const noQueue = message('fleet.no-queue', 'The queue at {address} cannot be used: {why}');
