import PostalMime, { type Address } from 'postal-mime'
import { Unreadable } from '../result.ts'
import { convertHtml } from './html.ts'

/** Headers and text of a message. Attachments are named, not opened. */
export async function convertMail(
  bytes: Uint8Array,
): Promise<{ text: string; title?: string | undefined }> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 })
  if (mail.headers.length === 0) throw new Unreadable('corrupt', 'The file contains no message.')
  const headers = [
    ['From', mail.from && toName(mail.from)],
    ['To', mail.to?.map(toName).join(', ')],
    ['Date', mail.date],
    ['Subject', mail.subject],
  ]
  const lines = headers.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  const body = mail.text?.trim() || (mail.html ? convertHtml(mail.html).text : '')
  const attached = mail.attachments.map(
    ({ filename, mimeType }) => `- ${filename ?? 'unnamed'} (${mimeType})`,
  )
  const parts = [
    lines.join('\n'),
    body,
    attached.length > 0 ? `Attachments:\n\n${attached.join('\n')}` : '',
  ]
  return { text: parts.filter((part) => part !== '').join('\n\n'), title: mail.subject }
}

function toName({ name, address = '' }: Address): string {
  return name ? `${name} <${address}>` : address
}
