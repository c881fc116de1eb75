/** Parses a URL; undefined for any other text. (`URL.canParse` of Node 24 takes hosts for valid that `new URL` refuses.) */
export function toUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    // Not a URL, which the callers say.
    return undefined;
  }
}
