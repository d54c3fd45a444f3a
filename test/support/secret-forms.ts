/** All forms in which a value may leak, in lower case for `listMarks`. */
export function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  const aligned = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // The letters at both ends depend on the neighbours of the value.
    const core = encoded.replace(/=+$/, '').slice(Math.ceil((before * 8) / 6), -1)
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    Buffer.from(value, 'utf16le').toString('latin1'),
    ...aligned,
  ]
  return [...new Set(forms.map((form) => form.toLowerCase()))]
}
