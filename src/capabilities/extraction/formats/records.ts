/** The records of a table in CSV. A line end within quotes belongs to its record. */
export function splitRecords(text: string): readonly string[] {
  const records: string[] = []
  let lines: string[] = []
  let isQuoted = false
  for (const line of text.split('\n')) {
    if (lines.length === 0 && line.trim() === '') continue
    lines.push(line)
    if (hasOddQuotes(line)) isQuoted = !isQuoted
    if (isQuoted) continue
    records.push(lines.join('\n'))
    lines = []
  }
  // The lines after a quote that never ends are records again.
  return [...records, ...lines.filter((line) => line.trim() !== '')]
}

function hasOddQuotes(line: string): boolean {
  let count = 0
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) count += 1
  return count % 2 === 1
}
