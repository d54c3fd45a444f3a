import { useFormat } from '../i18n/language.tsx'

/** A time in the zone of the reader, with the exact time as its title. */
export function Time({ at, className }: { readonly at: string; readonly className?: string }) {
  const format = useFormat()
  return (
    <time className={className} dateTime={at} title={format.exact(at)}>
      {format.when(at)}
    </time>
  )
}
