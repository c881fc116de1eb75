/** Commits that change nothing for those who use the package. */
const INTERNAL = /^(Release \d|Merge |Format |Test |Lint |Benchmark |Quote |Simulate |Bump )/;

/** A section of the changelog: one line for each commit that users may notice, oldest first. */
export function changelogSection(release: { version: string; date: string; subjects: string[] }): string {
  const lines = release.subjects.filter((subject) => !INTERNAL.test(subject)).reverse();
  const list = lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : '- No changes for users';
  return `## ${release.version} (${release.date})\n\n${list}\n`;
}

/** Puts a section above the ones that a changelog has. */
export function withSection(changelog: string, section: string): string {
  const first = changelog.search(/^## /m);
  if (first === -1) return `${changelog.trimEnd()}\n\n${section}`;
  return `${changelog.slice(0, first)}${section}\n${changelog.slice(first)}`;
}
