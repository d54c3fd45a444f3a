import { Component, type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '../i18n/language.tsx'
import { ReverieError } from '../queries/api.ts'
import type { ReadState } from '../queries/read.ts'
import { PlainText } from '../text/plain-text.tsx'
import { Icon } from './icon.tsx'

interface LoadedProps<Reply> {
  readonly read: ReadState<Reply>
  readonly children: (data: Reply) => ReactNode
}

/** Shows what was read, or why it cannot be shown: not available, refused, failed, not there yet. */
export function Loaded<Reply>({ read, children }: LoadedProps<Reply>) {
  if (read.isMissing || isAbsent(read.error)) return <NotAvailable operation={read.operation} />
  if (read.data === undefined)
    return read.error ? <ErrorPanel error={read.error} onRetry={read.retry} /> : <Skeleton />
  const { data } = read
  return (
    <ShapeBoundary operation={read.operation} resetKey={data}>
      <Deferred render={() => children(data)} />
    </ShapeBoundary>
  )
}

/** The render function runs inside the boundary, so that its faults are caught there. */
function Deferred({ render }: { readonly render: () => ReactNode }) {
  return render()
}

/** A path that this build does not have. */
function isAbsent(error: Error | null): boolean {
  return error instanceof ReverieError && error.status === 404 && error.message === 'Not found'
}

export function Skeleton() {
  const t = useText()
  return (
    <div className="skeleton" aria-busy="true">
      <span className="unseen">{t.common.loading}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

function NotAvailable({ operation }: { readonly operation: string }) {
  const t = useText()
  return (
    <div className="empty">
      <h2>{t.states.notAvailable}</h2>
      <p>
        {t.states.notAvailableWhy} <code className="mono">{operation}</code>
      </p>
    </div>
  )
}

interface ErrorProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

export function ErrorPanel({ error, onRetry }: ErrorProps) {
  const t = useText()
  return (
    <div className="notice" role="alert">
      <Icon name="warning" />
      <h2>{t.states.title(error)}</h2>
      <p>
        <PlainText text={error instanceof Error ? error.message : String(error)} />
      </p>
      {error instanceof ReverieError && (
        <p className="mono">
          {error.code}
          {error.requestId !== null && ` · ${error.requestId}`}
        </p>
      )}
      {onRetry && <RetryButton error={error} onRetry={onRetry} />}
    </div>
  )
}

interface RetryProps {
  readonly error: unknown
  readonly onRetry: () => void
}

const secondMs = 1000
/** Limits the wait, also if the service asks for a longer one. */
const maxWaitSeconds = 60

function startWait(error: unknown) {
  const retryAfter = error instanceof ReverieError ? (error.retryAfterSeconds ?? 0) : 0
  return { error, seconds: Math.min(retryAfter, maxWaitSeconds) }
}

/** Retries on a click, and by itself after the delay in the reply. */
function RetryButton({ error, onRetry }: RetryProps) {
  const t = useText()
  const [wait, setWait] = useState(() => startWait(error))
  // Each failure has a delay of its own.
  if (wait.error !== error) setWait(startWait(error))
  const { seconds } = wait
  const latest = useRef(onRetry)
  useEffect(() => {
    latest.current = onRetry
  })
  useEffect(() => {
    if (wait.seconds <= 0) return undefined
    const timer = setTimeout(() => {
      setWait({ ...wait, seconds: wait.seconds - 1 })
      if (wait.seconds <= 1) latest.current()
    }, secondMs)
    return () => clearTimeout(timer)
  }, [wait])
  return (
    <p>
      <button type="button" className="button" disabled={seconds > 0} onClick={onRetry}>
        {seconds > 0 ? t.common.tryAgainIn(seconds) : t.common.tryAgain}
      </button>
    </p>
  )
}

interface BoundaryProps {
  readonly operation: string
  readonly resetKey: unknown
  readonly children: ReactNode
}

/** Catches what a reply of another shape breaks. The rest of the page stays. */
class ShapeBoundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidUpdate({ resetKey }: BoundaryProps) {
    if (this.state.isBroken && resetKey !== this.props.resetKey) this.setState({ isBroken: false })
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return <BrokenShape operation={this.props.operation} />
  }
}

function BrokenShape({ operation }: { readonly operation: string }) {
  const t = useText()
  return (
    <div className="notice" role="alert">
      <Icon name="warning" />
      <h2>{t.states.brokenShape}</h2>
      <p className="mono">{operation}</p>
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {t.common.tryAgain}
        </button>
      </p>
    </div>
  )
}
