import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../i18n/language.tsx'

interface DialogProps {
  readonly title: ReactNode
  readonly onClose: () => void
  /** Something was typed: closing asks first. */
  readonly isChanged?: boolean
  readonly children: ReactNode
}

/** A modal dialog of the platform. The focus returns to the element that opened it. */
export function Dialog({ title, onClose, isChanged = false, children }: DialogProps) {
  const t = useText()
  const id = useId()
  const box = useRef<HTMLDialogElement>(null)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    const dialog = box.current
    const opener = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  const leave = () => (isChanged && !isAsking ? setAsking(true) : onClose())
  return (
    <dialog
      ref={box}
      className="box"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
    >
      <div>
        <h2 id={id}>{title}</h2>
        {isAsking && (
          <div className="notice warn" role="alert">
            <p>{t.common.discardQuestion}</p>
            <p className="row wrap">
              <button type="button" className="button danger" onClick={onClose}>
                {t.common.discard}
              </button>
              <button type="button" className="button" onClick={() => setAsking(false)}>
                {t.common.goOn}
              </button>
            </p>
          </div>
        )}
        {children}
      </div>
    </dialog>
  )
}
