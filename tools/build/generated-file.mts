/** A file that the build writes: path relative to the repository or to `dist`, and its text. */
export interface GeneratedFile {
  path: string;
  text: string;
}

/** A JSON file, written as the formatter of the repository would. */
export function jsonFile(path: string, value: unknown): GeneratedFile {
  return { path, text: `${JSON.stringify(value, null, 2)}\n` };
}
