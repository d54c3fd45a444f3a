import { expect, test } from 'vitest'
import { countWords, readQueryTraits, readTraits, trait } from './query.ts'

test.each([
  ['Where is it?', trait.question],
  ['在哪里？', trait.question],
  ['We met last Tuesday.', trait.time],
  ['It was in 2019.', trait.time | trait.number],
  ['She has three sons.', trait.number],
  ['Always answer in French.', trait.instruction],
  ['Antworte immer auf Französisch.', trait.instruction],
  ['Responde siempre en francés.', trait.instruction],
  ['Réponds toujours en anglais.', trait.instruction],
  ['请务必用法语回答', trait.instruction],
  ['I have never been there.', 0],
  ['I’ve always liked it.', 0],
  ['Never use tabs.', trait.instruction],
  ['Ich war noch nie dort.', 0],
  ['Nimm nie den Aufzug.', trait.instruction],
  ['Nunca he estado allí.', 0],
  ['Nunca uses el ascensor.', trait.instruction],
  ["Je n'ai jamais vu la mer.", 0],
  ["N'utilise jamais l'ascenseur.", trait.instruction],
  ['我从不吃肉', 0],
  ['从不使用电梯', trait.instruction],
  ["I'd rather walk.", trait.preference],
  ['Ich gehe lieber zu Fuß.', trait.preference],
  ['Me gusta caminar.', trait.preference],
  ["J'aime marcher.", trait.preference],
  ['Er lieferte das Niemandsland.', 0],
  ['It is a unicorn.', 0],
])('%s', (text, traits) => {
  expect(readTraits(text)).toBe(traits)
})

test.each([
  ['When did she leave?', trait.time],
  ['How many sons has she?', trait.number],
  ['Who left?', 0],
  ['Can you summarize the move?', trait.summary],
  ['Fasse den Umzug zusammen: eine Zusammenfassung', trait.summary],
  ['List the order in which we packed.', trait.order],
  ['In welcher Reihenfolge haben wir gepackt?', trait.order],
  ['What must I do in order to pack?', 0],
  ['Have I packed the lamp?', trait.history],
  ['Habe ich die Lampe eingepackt?', trait.history],
  ['¿He empacado la lámpara?', trait.history],
  ['Ai-je emballé la lampe ?', trait.history],
  ['我以前搬过家吗？', trait.history],
  ['What have I packed?', 0],
  ['Where is my resume?', 0],
  ['How should I pack the lamp?', trait.help],
  ['Can you help me pack?', trait.help],
  ['How many lamps do I have?', trait.number],
  ['Wie verpacke ich die Lampe?', trait.help],
  ['¿Cómo puedo empacar la lámpara?', trait.help],
  ['Comment puis-je emballer la lampe ?', trait.help],
  ['我应该怎么打包？', trait.help],
  ['What did you say about the lamp?', trait.advice],
  ['Was hast du mir empfohlen?', trait.advice],
  ['¿Qué me recomendaste?', trait.advice],
  ["Que m'as-tu conseillé ?", trait.advice],
  ['你之前推荐了什么？', trait.advice],
  ['Resume las notas de la mudanza', trait.summary],
  ['Résume les notes du déménagement', trait.summary],
  ['Un résumé du déménagement', trait.summary],
])('%s wants it', (question, queryTraits) => {
  expect(readQueryTraits(question)).toBe(queryTraits)
})

test.each([
  ['three short words', 3],
  ['', 0],
  ['我喜欢猫咪', 3],
])('%s has so many words', (text, words) => {
  expect(countWords(text)).toBe(words)
})
