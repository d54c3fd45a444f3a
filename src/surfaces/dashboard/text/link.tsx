import { useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { Dialog } from '../widgets/dialog.tsx'
import { Name } from './plain-text.tsx'

/** An address from outside: text, and a dialog that shows its parts before it is opened. */
export function ForeignLink({ address }: { readonly address: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const url = toWebUrl(address)
  return (
    <span>
      <Name text={address} />{' '}
      {url && (
        <button type="button" className="linklike" onClick={() => setOpen(true)}>
          {t.link.open}
        </button>
      )}
      {url && isOpen && <LinkDialog url={url} onClose={() => setOpen(false)} />}
    </span>
  )
}

function LinkDialog({ url, onClose }: { readonly url: URL; readonly onClose: () => void }) {
  const t = useText()
  return (
    <Dialog title={t.link.title} onClose={onClose}>
      <p>{t.link.warning}</p>
      <dl className="pairs">
        <dt>{t.link.scheme}</dt>
        <dd className="mono">{url.protocol}</dd>
        <dt>{t.link.host}</dt>
        <dd className="mono">
          <b>{url.host}</b>
        </dd>
        <dt>{t.link.rest}</dt>
        <dd className="mono">
          <Name text={url.pathname + url.search + url.hash} />
        </dd>
      </dl>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          {t.common.cancel}
        </button>
        <a className="button" href={url.href} target="_blank" rel="noopener noreferrer">
          {t.link.open}
        </a>
      </div>
    </Dialog>
  )
}

/** Undefined for anything but a web address. */
function toWebUrl(address: string): URL | undefined {
  const url = URL.parse(address)
  return url && ['http:', 'https:'].includes(url.protocol) && !url.username ? url : undefined
}
