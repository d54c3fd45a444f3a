import { cleanName } from '../text/hidden-characters.ts'

/** The browser reads the file after the click. */
const releaseAfterMs = 60_000

/** Puts a file into the downloads of the browser. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = cleanName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), releaseAfterMs)
}
