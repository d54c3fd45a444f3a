import { describe, expect, test } from 'vitest'
import { cleanStoredText, toCleanText } from './clean-text.ts'
import { joinPrivateSpans } from './private-spans.ts'
import { removePrivateSpans } from './redact.ts'

describe('private spans', () => {
  test.each([
    ['<private>a<private>b</private>c</private>d', 'd', 1],
    ['x<private>a<private>b</private>c<private>d</private>e</private>f', 'xf', 1],
    ['x<private>a<private>b</private>c', 'x', 1],
    ['x<private>a</private></private>y', 'x</private>y', 1],
    ['x&lt;private&gt;a&lt;/private&gt;y', 'xy', 1],
    ['x&lt;private&gt;a&lt;private&gt;b&lt;/private&gt;c&lt;/private&gt;y', 'xy', 1],
    ['x&amp;lt;private&amp;gt;a&amp;lt;/private&amp;gt;y', 'xy', 1],
    ['x&#60;PRIVATE&#x3E;a&LT;/private>y', 'xy', 1],
    ['x&lt;private reason="a &amp; b"&gt;a&lt;/private&gt;y', 'xy', 1],
    ['x<private>a&lt;/private>y', 'xy', 1],
    ['x&lt;private&gt;a', 'x', 1],
    ['x&lt;privateer&gt;y <privately>', 'x&lt;privateer&gt;y <privately>', 0],
    ['x<\uff50\uff52\uff49\uff56\uff41\uff54\uff45>a</private>y', 'xy', 1],
    ['x\uff1cprivate\uff1ea\uff1c/private\uff1ey', 'xy', 1],
    ['x<\u0440r\u0456v\u0430t\u0435>a</private>y', 'xy', 1],
    ['x<\u0420RIVATE>a</\u0420RIVATE>y', 'xy', 1],
    ['x<private/>a</private>y', 'xy', 1],
    ['x<private />a</private>y', 'xy', 1],
    [String.raw`x\u003cprivate\u003ea\u003c/private\u003ey`, 'xy', 1],
    [String.raw`x\\u003cprivate\\u003Ea\\u003C/private\\u003ey`, 'xy', 1],
    [String.raw`x\x3cprivate\x3ea\x3c\/private\x3ey`, 'xy', 1],
    [String.raw`x<private>a<\/private>y`, 'xy', 1],
    ['x%3Cprivate%3Ea%3C%2Fprivate%3Ey', 'xy', 1],
    [String.raw`x\u003cprivateer\u003ey`, String.raw`x\u003cprivateer\u003ey`, 0],
  ])('changes %j to %j', (written, text, redactions) => {
    expect(removePrivateSpans(written)).toMatchObject({ text, redactions })
    expect(toCleanText(written)).toBe(text)
    expect(cleanStoredText(written)).toBe(text)
  })

  test.each([
    [
      'a\n<private>b\n<private>c\n</private>d\n</private>\ne',
      'a\n<private>b <private>c </private>d </private>\ne',
    ],
    ['a\n<private>b\n<private>c\n</private>d\ne', 'a\n<private>b <private>c </private>d\ne'],
    ['a\n<private>b\nc', 'a\n<private>b\nc'],
    ['&lt;private>b\nc&lt;/private>\nd', '&lt;private>b c&lt;/private>\nd'],
  ])('joins %j to %j', (text, joined) => {
    expect(joinPrivateSpans(text)).toBe(joined)
  })
})
