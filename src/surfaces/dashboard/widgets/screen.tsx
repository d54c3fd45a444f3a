import { cloneElement, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react'
import { cleanName } from '../text/hidden-characters.ts'

const navigation = { hasHappened: false }

/** Called at each change of the path, so that the next heading takes the focus. */
export function markNavigation(): void {
  navigation.hasHappened = true
}

interface ScreenProps {
  /** For the title of the window. */
  readonly name: string
  readonly title?: ReactNode
  readonly lede?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One screen: its heading takes the focus after a navigation. */
export function Screen({ name, title, lede, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${cleanName(name)} · Reverie`
  }, [name])
  useEffect(() => {
    if (navigation.hasHappened) heading.current?.focus()
    navigation.hasHappened = false
  }, [])
  return (
    <>
      <div className="title">
        <h1 ref={heading} tabIndex={-1}>
          {title ?? name}
        </h1>
        {actions && <span className="push row wrap">{actions}</span>}
        {lede && <p className="lede">{lede}</p>}
      </div>
      {children}
    </>
  )
}

interface SheetProps {
  readonly title: ReactNode
  readonly aside?: ReactNode
  /** The content has no space around it, as a list has. */
  readonly isFlush?: boolean
  readonly label?: string
  readonly children: ReactNode
}

/** A titled part of a screen. */
export function Sheet({ title, aside, isFlush = false, label, children }: SheetProps) {
  return (
    <section className={isFlush ? 'sheet' : 'sheet pad'} aria-label={label}>
      <div className={isFlush ? 'over' : undefined}>
        <h2 className="part">
          {title}
          {aside !== undefined && <span>{aside}</span>}
        </h2>
      </div>
      {children}
    </section>
  )
}

interface FieldProps {
  readonly label: string
  readonly note?: string
  readonly children: ReactElement<{ readonly id?: string; readonly 'aria-describedby'?: string }>
}

/** A labelled field of a form. */
export function Field({ label, note, children }: FieldProps) {
  const id = useId()
  const noteId = note === undefined ? {} : { 'aria-describedby': `${id}-note` }
  return (
    <div className="input">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, ...noteId })}
      {note !== undefined && <small id={`${id}-note`}>{note}</small>}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}

/** Nothing is there yet: what this is for, and the first action. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className="empty">
      <svg viewBox="0 0 168 104" aria-hidden="true">
        <path d="M14 88c26-30 50-6 70-28s42-16 70-42" />
        <circle className="full" cx="132" cy="26" r="9" />
        <path d="M26 30h.1M50 18h.1M74 34h.1M100 12h.1M40 52h.1" />
        <path className="lit" d="M84 60v14M78 67h12" />
      </svg>
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <p className="row wrap">{children}</p>}
    </div>
  )
}
