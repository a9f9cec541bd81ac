import { challengeLimits } from '#server/http/challenges.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { type Product, startProduct } from './product.ts'

/** A product at which more have enlisted than usual: its form asks for work, or to wait. */
export async function startFlooded(): Promise<Product> {
  const product = await startProduct()
  const enlist = () =>
    fetch(`${product.url}/api/registrations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(buildRegistration()),
    })
  for (let sent = 0; sent < challengeLimits.usual.points; sent += 10) {
    await Promise.all(Array.from({ length: 10 }, enlist))
  }
  const { status } = await enlist()
  if (status !== 403) throw new Error(`one more enlistment is answered ${status}, not 403`)
  return product
}
