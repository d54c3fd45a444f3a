import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { Skill } from '../../queries/extensions.ts'
import { useRead } from '../../queries/read.ts'
import { Markdown } from '../../text/markdown.tsx'
import { Name } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { Pairs } from '../../widgets/values.tsx'

/** One skill: what it says, who made it, and what it asks for. */
export function SkillPage({ name }: { readonly name: string }) {
  const t = useText()
  const read = useRead<Skill>('GET /api/skills/:name', { path: { name } })
  return (
    <Screen name={name} title={<Name text={name} />}>
      <p className="row wrap faint crumbs">
        <Link href="/ui/extensions">{t.screens.extensions}</Link>
      </p>
      <Loaded read={read}>
        {(skill) => (
          <div className="grid two">
            <Sheet title={t.extensions.text}>
              <Markdown text={skill.content} />
            </Sheet>
            <Sheet title={t.extensions.about}>
              <Pairs
                rows={[
                  [t.extensions.version, skill.version && <Name key="v" text={skill.version} />],
                  [t.extensions.author, skill.author && <Name key="a" text={skill.author} />],
                  [t.extensions.license, skill.license && <Name key="l" text={skill.license} />],
                  [t.extensions.verified, skill.verified ? t.common.yes : t.common.no],
                  [
                    t.extensions.asksFor,
                    <Name key="p" text={skill.permissions.join(', ') || t.common.none} />,
                  ],
                  [t.extensions.path, <Name key="path" text={skill.path} />],
                ]}
              />
            </Sheet>
          </div>
        )}
      </Loaded>
    </Screen>
  )
}
