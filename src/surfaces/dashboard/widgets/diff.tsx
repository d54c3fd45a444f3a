import { PlainText } from '../text/plain-text.tsx'

interface DiffProps {
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** A text and what replaces it. */
export function Diff({ before, after }: DiffProps) {
  return (
    <div className="diff">
      {before !== undefined && (
        <del>
          <PlainText text={before} />
        </del>
      )}
      {after !== undefined && (
        <ins>
          <PlainText text={after} />
        </ins>
      )}
    </div>
  )
}
