import { api, callApi } from '#web/lib/api.ts'

export type ProfileData = Awaited<ReturnType<typeof loadProfile>>

export async function loadProfile(signal: AbortSignal) {
  const init = { init: { signal } }
  const [{ user }, { items: devices }, twoFactor] = await Promise.all([
    callApi(api.session.$get(undefined, init)),
    callApi(api.session.devices.$get(undefined, init)),
    callApi(api.session['two-factor'].$get(undefined, init)),
  ])
  return { user, devices, twoFactor }
}
