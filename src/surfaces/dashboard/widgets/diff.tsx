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

/** A difference of files, as `diff -u` writes it. */
export function FileDiff({ text }: { readonly text: string }) {
  const lines = text.split('\n').filter((line) => !/^=+$/.test(line))
  return (
    <pre className="code file-diff">
      {lines.map((line, index) => (
        // Equal lines differ by their place alone.
        <span key={`${String(index)} ${line}`} className={toneOf(line)}>
          <PlainText text={`${line}\n`} />
        </span>
      ))}
    </pre>
  )
}

function toneOf(line: string): string | undefined {
  if (/^(?:@@|---|\+\+\+)/.test(line)) return 'place'
  return { '+': 'added', '-': 'removed' }[line.slice(0, 1)]
}
