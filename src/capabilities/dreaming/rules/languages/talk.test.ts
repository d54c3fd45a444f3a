import { expect, test } from 'vitest'
import { readAll } from '../rules.fixture.ts'

const own = (statement: string) => [`Ada Moreau · ${statement}`]
const ferry = (statement: string) => [`Ferry · ${statement}`]

test.each([
  ["I live in Ferrol, so if the bridge is closed I'm late.", own('lives_in · Ferrol')],
  ['I live in Ferrol, in case somebody needs a lift.', own('lives_in · Ferrol')],
  ['I work at Northwind, same as last year.', own('works_at · Northwind')],
  ["I'm from Lugo originally, now I'm living in Ferrol.", own('lives_in · Ferrol')],
  ['Ich wohne in Lugo, falls jemand mitfahren will.', own('lives_in · Lugo')],
  ['Ferry ist in Elixir geschrieben, nur damit das klar ist.', ferry('language · Elixir')],
  ['I work at Northwind, no change there.', own('works_at · Northwind')],
  ["My editor is Kakoune, don't laugh.", own('editor · Kakoune')],
  ['Deadline for Ferry: 12 November, no excuses.', ferry('deadline · 12 November')],
  ['Ferry is written in Elixir, shout if you disagree.', ferry('language · Elixir')],
  ['Hi all, and these days I live in Ferrol.', own('lives_in · Ferrol')],
  ['ok let us make it official: Olu Adeyemi owns Ferry.', ferry('owner · Olu Adeyemi')],
  ['我住在杭州，所以可能会迟到。', own('lives_in · 杭州')],
  ['我在永和诊所工作，下午才来。', own('works_at · 永和诊所')],
])('a clause behind a statement does not concern it: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'I live in Ferrol, so they say.',
  'I live in Ferrol, or so I hear.',
  'I live in Ferrol, which I doubt.',
  'I live in Ferrol, never have.',
  'I live in Ferrol, used to anyway.',
  'I live in Ferrol, so he claims.',
  "I live in Ferrol, don't I.",
  "I live in Ferrol, no I don't.",
  'I live in Ferrol, no.',
  'I live in Ferrol if asked.',
  'I live in Ferrol because I said so, haha.',
  'I live in Ferrol, if you believe the newsletter.',
  'Ich wohne in Lugo, also angeblich.',
  'Ich wohne in Lugo, nicht wirklich.',
])('a clause that takes a statement back does: %j', (text) => {
  expect(readAll(text)).toEqual([])
})

test.each([
  ['Bin übrigens gegen Haselnüsse allergisch.', own('allergic_to · Haselnüsse')],
  ['Wohne jetzt in Lugo.', own('lives_in · Lugo')],
  ['Habe leider eine Allergie gegen Bienen.', own('allergic_to · Bienen')],
  ['Ich arbeite seit Montag bei der Nordbank.', own('works_at · Nordbank')],
  ['Ich bin nicht mehr bei der Nordbank.', own('? · ends Nordbank')],
  ['Ich komme aus Lugo, wohne aber inzwischen in Ferrol.', own('lives_in · Ferrol')],
  ['Arbeite seit dem Sommer bei Nordwind.', own('works_at · Nordwind')],
  ['Zum Zeichnen nutze ich Krita.', own('uses · Krita')],
  ['Ferry übernimmt ab sofort Olu Adeyemi.', ferry('owner · Olu Adeyemi')],
  ['Die Frist für Ferry verschiebt sich auf den 18. Mai.', ferry('deadline · 18. Mai')],
  ['Zettlr benutze ich nicht mehr.', own('? · ends Zettlr')],
  ['Die Ferry-App ist in Elixir geschrieben.', ferry('language · Elixir')],
  ['Neuer Port von Ferry: 9300', ferry('port · 9300')],
  ['Verantwortlich für Ferry ist Olu Adeyemi.', ferry('owner · Olu Adeyemi')],
  ['Ferry läuft auf einem Server bei Nordhost.', ferry('deployed_on · Nordhost')],
  ['Wir sind mit Ferry von MySQL auf PostgreSQL umgestiegen.', ferry('? · MySQL → PostgreSQL')],
  ['Für Ferry bin ich verantwortlich.', ferry('owner · Ada Moreau')],
  ['Ich bin auf Zettlr umgestiegen.', own('? · Zettlr')],
])('talk in German: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  ['I have worked at Northwind since May.', own('works_at · Northwind')],
  ["I'm a nurse at the Harbour Clinic.", own('works_at · the Harbour Clinic')],
  ['My editor is no longer Kakoune.', own('editor · ends Kakoune')],
  ['I like tea more than coffee.', own('prefers · tea')],
  ['Galician is my mother tongue.', own('speaks · Galician')],
  ["I'm on the Northwind payroll.", own('works_at · Northwind')],
  ['Ich ziehe Tee dem Kaffee vor.', own('prefers · Tee')],
  ['Meine neue Adresse ist in Lugo.', own('lives_in · Lugo')],
  ['我写代码用Kakoune。', own('uses · Kakoune')],
  ['我对虾过敏。', own('allergic_to · 虾')],
  ["I'm no longer with Northwind.", own('? · ends Northwind')],
  ['I quit my job at Northwind.', own('? · ends Northwind')],
  ["I've given up on Kakoune.", own('? · ends Kakoune')],
  ['I ditched Kakoune for Lite XL.', own('? · Kakoune → Lite XL')],
  ['I switched to Lite XL last week.', own('? · Lite XL')],
  ["I've switched editors: Lite XL instead of Kakoune", own('editor · Lite XL')],
  ['I use Zettlr instead of Anytype.', own('? · Anytype → Zettlr')],
  ['I switched from Kakoune to Lite XL.', own('? · Kakoune → Lite XL')],
  ['Besides Basque I speak Galician.', own('speaks · Galician')],
  ["I'm allergic to nuts, apparently not to eggs.", []],
  ['For the slides I use Marp.', own('uses · Marp')],
  ['I prefer small boats.', own('prefers · small boats')],
  [
    'I speak Galician and a bit of Basque.',
    [...own('speaks · Basque'), ...own('speaks · Galician')],
  ],
  [
    'I speak Galician, plus Basque of course.',
    [...own('speaks · Basque'), ...own('speaks · Galician')],
  ],
  ['I use Zettlr, Olu.', own('uses · Zettlr')],
  ["I'm allergic to mussels, for the dinner.", own('allergic_to · mussels')],
])('talk about oneself: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  ['Staging port of Ferry is 8462.', ferry('staging_port · 8462')],
  ['Production port for Ferry: 7070.', ferry('production_port · 7070')],
  ['New Ferry deadline: 26 September', ferry('deadline · 26 September')],
  ['The Ferry deadline has been moved to 15 October.', ferry('deadline · 15 October')],
  ["The Ferry deadline slipped, it's now 30 June.", ferry('deadline · 30 June')],
  ['We changed the Ferry port to 7443.', ferry('port · 7443')],
  ['Ferry staging: port 4010', ferry('staging_port · 4010')],
  ['Ferry listens on port 5510 in production', ferry('production_port · 5510')],
  [
    'Ferry relies on libvips and MinIO.',
    [...ferry('depends_on · libvips'), ...ferry('depends_on · MinIO')],
  ],
  ['The docs of Ferry are hosted on Nordhost.', ferry('deployed_on · Nordhost')],
  ['Ferry moved from Nordhost to Blue Cloud last night.', ferry('? · Nordhost → Blue Cloud')],
  ['Ferry was handed over from Olu to Jonas.', ferry('owner · Olu → Jonas')],
  [
    'The Ferry team agreed to drop the old login page.',
    ferry('decision · drop the old login page'),
  ],
  ['Ferry的数据库已经换成MySQL了。', ferry('database · MySQL')],
  ['Ferry交给王小明了。', ferry('owner · 王小明')],
  ["Ferry's database has changed from MySQL to Postgres.", ferry('database · MySQL → Postgres')],
  ["Ferry's deadline was pushed to 9 May.", ferry('deadline · 9 May')],
  ["Ferry's database is no longer MySQL.", ferry('database · ends MySQL')],
  ['Olu Adeyemi leads Ferry.', ferry('owner · Olu Adeyemi')],
  ['In production, Ferry listens on 8443.', ferry('production_port · 8443')],
  ['Ferry ditched MySQL for Postgres.', ferry('? · MySQL → Postgres')],
  ['We wrote Ferry in Elixir.', ferry('language · Elixir')],
  ["Ferry's data lives in Postgres.", ferry('database · Postgres')],
  ['Ferry lauscht in Produktion auf Port 8443.', ferry('production_port · 8443')],
  ['Ferry ist zu Nordhost umgezogen.', ferry('? · Nordhost')],
  ['Abgabetermin von Ferry ist der 3. Mai.', ferry('deadline · der 3. Mai')],
  ['Ferry使用PostgreSQL作为数据库。', ferry('database · PostgreSQL')],
  ['I maintain Ferry.', ferry('owner · Ada Moreau')],
  ["I'm the owner of Ferry.", ferry('owner · Ada Moreau')],
  ['Ferry is maintained by me.', ferry('owner · Ada Moreau')],
  ['Olu Adeyemi is in charge of Ferry.', ferry('owner · Olu Adeyemi')],
  ['Handing Ferry over to Olu, effective immediately.', ferry('owner · Olu')],
  ['Ferry is an Elixir app.', ferry('language · Elixir')],
  ['Ferry runs on a server at Nordhost.', ferry('deployed_on · Nordhost')],
  ['Ferry uses a Postgres database.', ferry('database · Postgres')],
  ['Ferry stores the photos in MinIO.', ferry('uses · MinIO')],
  ['Ferry has moved off Nordhost.', ferry('? · ends Nordhost')],
  [
    "Ferry isn't on Nordhost any more, we host it on Blue Cloud now.",
    [...ferry('deployed_on · Blue Cloud'), ...ferry('? · ends Nordhost')],
  ],
  ['Ferry用的是MySQL数据库。', ferry('database · MySQL')],
  ['Ferry由我负责。', ferry('owner · Ada Moreau')],
  ['Ferry部署在里云上。', ferry('deployed_on · 里云')],
])('talk about a project: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'Update for Ferry: Monday release',
  'Question on Ferry: Postgres or MySQL',
  'Who maintains Ferry?',
  "I don't maintain Ferry.",
  'I used to maintain Ferry.',
  'Ferry will be maintained by me.',
  'Maybe I am the owner of Ferry.',
  "I'm a member at Northwind.",
  "I'm a nurse at heart.",
  'I switched to decaf.',
  'I switched to it.',
  "I'm on holiday now.",
  'I have lived in Ferrol.',
  'I have worked at Northwind for a summer.',
  'Ferry keeps me in Lugo.',
  'Ferry runs on a server.',
  'Ferry is an old app.',
  'Ferry moved to Monday.',
  "I'm allergic to meetings.",
  'Ich bin allergisch gegen Montage.',
  '我对上班过敏。',
  'Remember this forever: I live in Ferrol.',
  'I live in Ferrol. Do not question it.',
  'Merke dir für immer: Ich wohne in Lugo.',
  '永远记住：我住在杭州。',
  'Olu Adeyemi runs Ferry.',
  'I can speak my mind.',
  'We wrote Ferry in a hurry.',
  "Ferry's data lives in the cloud.",
  '我住三天。',
  '我住不惯。',
  'Bin müde.',
  'Habe Hunger.',
  'Wohne ich in Lugo?',
  'Ferry由我们负责吗？',
])('reads nothing from %j', (text) => {
  expect(readAll(text)).toEqual([])
})
