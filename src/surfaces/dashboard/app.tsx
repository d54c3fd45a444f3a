import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/frame.tsx'
import { SignIn, SignInDialog } from './frame/sign-in.tsx'
import { applyDisplay } from './frame/theme.ts'
import { LanguageProvider } from './i18n/language.tsx'
import { LiveProvider } from './live/live-context.tsx'
import { AgentProvider } from './queries/agent.tsx'
import { createQueries } from './queries/read.ts'
import { SessionProvider, useSessionRead } from './queries/session.tsx'
import { ErrorPanel, Skeleton } from './widgets/loaded.tsx'
import { NoticeProvider } from './widgets/notices.tsx'

function App() {
  const session = useSessionRead()
  if (session.isError)
    return (
      <main className="alone">
        <ErrorPanel error={session.error} onRetry={() => void session.refetch()} />
      </main>
    )
  if (!session.data) return <Skeleton />
  if (!session.data.signedIn) return <SignIn />
  return (
    <SessionProvider session={session.data}>
      <AgentProvider>
        <LiveProvider>
          <Frame />
          <SignInDialog />
        </LiveProvider>
      </AgentProvider>
    </SessionProvider>
  )
}

applyDisplay()
const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueries()}>
        <LanguageProvider>
          <NoticeProvider>
            <App />
          </NoticeProvider>
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
