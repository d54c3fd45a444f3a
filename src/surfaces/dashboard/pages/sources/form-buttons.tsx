import type { FormEvent } from 'react'
import { useText } from '../../i18n/language.tsx'

interface ButtonsProps {
  readonly label: string
  readonly isRunning: boolean
  readonly onClose: () => void
}

/** The last line of a form in a dialog. */
export function FormButtons({ label, isRunning, onClose }: ButtonsProps) {
  const t = useText()
  return (
    <div className="actions">
      <button type="button" className="button" onClick={onClose}>
        {t.common.cancel}
      </button>
      <button type="submit" className="button main" disabled={isRunning}>
        {label}
      </button>
    </div>
  )
}

/** The handler of a form that runs a change. */
export function toSubmit(run: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    run()
  }
}
