import { api, callApi } from '#web/lib/api.ts'
import { type ConfigValues, configInput } from './config-values.ts'

/**
 * Has the server try the configuration and keep it.
 *
 * @param version what was seen, null while e-mail was not configured
 * @throws ApiProblem
 */
export async function saveConfig(values: ConfigValues, version: number | null) {
  const headers = { 'If-Match': `"${version ?? 0}"` }
  return await callApi(
    api['update-email-config'].$post({ json: configInput(values), header: {} }, { headers }),
  )
}

/** @throws ApiProblem */
export async function removeConfig(): Promise<void> {
  await callApi(api.mail.account.$delete())
}
