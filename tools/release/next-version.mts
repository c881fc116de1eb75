const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * The version of a release: the one that was asked for, or the next patch, minor or major version.
 * @throws RangeError for anything else, and for a version that isn't later
 */
export function nextVersion(from: string, wanted = ''): string {
  const [major, minor, patch] = partsOf(from);
  const steps: Record<string, string> = {
    patch: `${major}.${minor}.${patch + 1}`,
    minor: `${major}.${minor + 1}.0`,
    major: `${major + 1}.0.0`,
  };
  if (Object.hasOwn(steps, wanted)) return steps[wanted];
  if (!VERSION.test(wanted)) {
    throw new RangeError(
      `Say which version: patch, minor, major, or one such as ${steps.minor}. Received: "${wanted}"`,
    );
  }
  const [own, before] = [partsOf(wanted), partsOf(from)];
  const first = own.findIndex((part, i) => part !== before[i]);
  if (first === -1 || own[first] < before[first]) throw new RangeError(`${wanted} is not later than ${from}`);
  return wanted;
}

function partsOf(version: string): number[] {
  const [, ...parts] = VERSION.exec(version) ?? [];
  if (parts.length === 0) throw new RangeError(`"${version}" is not a version`);
  return parts.map(Number);
}
