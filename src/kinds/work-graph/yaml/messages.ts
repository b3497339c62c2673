import { message } from '../../../core/messages/message.ts';

export const wrongAt = message('work.yaml.wrong-at', '{file}, line {line}: {why}.');
export const tooLong = message('work.yaml.too-long', 'it has more than {most:number} characters; give less');
export const tooDeep = message('work.yaml.too-deep', 'it is nested too deeply; write it flatter');
export const notYaml = message('work.yaml.not-yaml', 'this is not valid YAML ({why}); correct it');
export const twoDocuments = message('work.yaml.two-documents', 'a second YAML document begins here; keep one');
export const alias = message('work.yaml.alias', 'aliases such as "*{name}" are not read; write the value out');
export const twice = message('work.yaml.twice', 'the key "{key}" is there twice; remove one');
export const wrongKey = message('work.yaml.wrong-key', 'this key is not a plain text; write it as one');
export const notMapping = message('work.yaml.not-mapping', 'this is not a mapping of names to values');
