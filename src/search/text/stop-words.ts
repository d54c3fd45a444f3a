/** English stop words. */
const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren't as at be because been before
  being below between both but by can can't cannot could couldn't did didn't do does doesn't doing
  don't down during each few for from further had hadn't has hasn't have haven't having he her here
  hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it's its itself just
  let's me more most my myself no nor not now of off on once only or other our ours ourselves out
  over own same she should shouldn't so some such than that that's the their theirs them themselves
  then there these they this those through to too under until up very was wasn't we were weren't
  what what's when where which while who whom why will with won't would wouldn't you you'd you'll
  you're you've your yours yourself yourselves`.split(/\s+/),
)

export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}
