import { useRouteLoaderData } from 'react-router'
import { CallToAction } from '#web/features/home/call-to-action.tsx'
import { FeatureList } from '#web/features/home/feature-list.tsx'
import { Hero } from '#web/features/home/hero.tsx'
import { ProgramCards } from '#web/features/home/program-cards.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/home'
import type { loader as publicLoader } from './public-layout.tsx'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({
    site: frame.loaderData?.site,
    description:
      'Enlist for the National Service Training Program (Republic Act 9163): choose ROTC or CWTS and register online with your school.',
  })
}

export default function Home() {
  const session = useRouteLoaderData<typeof publicLoader>('pages/public-layout')
  return (
    <>
      <Hero user={session?.user ?? null} />
      <FeatureList />
      <ProgramCards />
      <CallToAction />
    </>
  )
}
