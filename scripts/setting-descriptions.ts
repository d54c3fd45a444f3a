export const descriptionsFile = 'src/capabilities/settings/descriptions.json'

/** Reads the description of each setting from docs/configuration.md as plain text. */
export function readSettingDescriptions(page: string): Readonly<Record<string, string>> {
  const rows = [...page.matchAll(/^\| `([a-z]\w*\.[^`]+)` \| [^|]* \| [^|]* \| (.*) \|$/gm)]
  return Object.fromEntries(
    rows.map(([, key = '', text = '']) => [key.replace(/\.<\w+>$/, ''), toPlainText(text)]),
  )
}

/** Removes the marks of links and code. */
function toPlainText(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}
