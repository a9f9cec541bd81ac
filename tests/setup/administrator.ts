export const adminEmail = 'coordinator@school.example'
export const adminPassword = 'a long enough pass phrase'
// The least that Argon2 takes.
export const cheapestCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
