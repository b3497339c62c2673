import fc from 'fast-check';

// A fixed seed, so that a test that turns red tells of the change at hand. New ones are tried with PROPERTY_SEED=random.
const given = process.env['PROPERTY_SEED'] ?? '20261101';
if (given !== 'random') fc.configureGlobal({ seed: Number(given) });
