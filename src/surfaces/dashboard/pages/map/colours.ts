const tokens = ['--act', '--lamp', '--good', '--bad', '--warn', '--soft']

/** The colours of the groups in the theme of the page, as `#rrggbb`. */
export function readPalette(canvas: HTMLCanvasElement): readonly string[] {
  const styles = getComputedStyle(canvas)
  return tokens.map((token) => resolveColour(styles, token))
}

/** A token has a colour for each theme; a canvas needs the one in use. */
function resolveColour(styles: CSSStyleDeclaration, name: string): string {
  const pair = /light-dark\((?<light>[^,]+),\s*(?<dark>[^)]+)\)/.exec(styles.getPropertyValue(name))
  const isDark =
    styles.colorScheme === 'dark' ||
    (styles.colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return (isDark ? pair?.groups?.['dark'] : pair?.groups?.['light']) ?? '#888888'
}
