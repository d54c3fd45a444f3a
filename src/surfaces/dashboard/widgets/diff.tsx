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
          <bdi>
            <PlainText text={before} />
          </bdi>
        </del>
      )}
      {after !== undefined && (
        <ins>
          <bdi>
            <PlainText text={after} />
          </bdi>
        </ins>
      )}
    </div>
  )
}
