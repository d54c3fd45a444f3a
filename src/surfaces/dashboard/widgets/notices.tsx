import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useText } from '../i18n/language.tsx'

interface Notice {
  readonly text: string
  /** Takes the change back. */
  readonly undo?: () => Promise<unknown>
}

const shownMs = 10_000
const NoticeContext = createContext<(notice: Notice) => void>(() => undefined)

/** Reports a change in the status region, with its undo where one exists. */
export function useNotify(): (notice: Notice) => void {
  return useContext(NoticeContext)
}

export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const t = useText()
  const [notice, setNotice] = useState<Notice>()
  const notify = useCallback((next: Notice) => setNotice({ ...next }), [])
  const value = useMemo(() => notify, [notify])
  useEffect(() => {
    if (!notice) return undefined
    const timer = setTimeout(() => setNotice(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [notice])
  const undo = async () => {
    if (!notice?.undo) return
    try {
      await notice.undo()
      setNotice({ text: t.common.undone })
    } catch (error) {
      setNotice({ text: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <NoticeContext value={value}>
      {children}
      <div role="status" aria-label="Live" className="live">
        {notice && (
          <div className="toast">
            <span>{notice.text}</span>
            {notice.undo && (
              <button type="button" className="button" onClick={() => void undo()}>
                {t.common.undo}
              </button>
            )}
          </div>
        )}
      </div>
    </NoticeContext>
  )
}
