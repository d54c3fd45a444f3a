/** Converts a harness name to a safe folder name: `[a-z0-9._-]`, never only dots. */
export function cleanHarness(harness: string): string {
  const name = harness
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 64)
  return /^\.*$/.test(name) ? `-${name.replaceAll('.', '-')}` : name
}
