/** As a folder may be named: `[a-z0-9._-]`, and never a step upwards. */
export function cleanHarness(written: string): string {
  const name = written
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 64)
  return /^\.*$/.test(name) ? `-${name.replaceAll('.', '-')}` : name
}
