import type { Page } from 'playwright-core'

/**
 * Three English words in a row, in the text and the names of elements. Texts from outside are in
 * `bdi` or `code`, sentences of the service have their language.
 */
const script = `(() => {
  const english = /[A-Za-z]{2,}[ ,]+[A-Za-z]+[ ,]+[A-Za-z]{2,}/
  const foreign = 'bdi, code, pre, time, .mono, [lang=en], noscript'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest(foreign)) texts.push(node.data)
  for (const name of ['aria-label', 'title', 'placeholder'])
    for (const element of document.querySelectorAll('[' + name + ']'))
      if (!element.closest(foreign)) texts.push(element.getAttribute(name))
  const commands = /reverie( [a-z]+)+/g
  return texts.filter((text) => english.test(text.replaceAll(commands, '')))
})()`

export function findEnglish(page: Page): Promise<readonly string[]> {
  return page.evaluate(script)
}
