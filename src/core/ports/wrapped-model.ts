import type { Model } from './model.ts';

/** A model with some parts replaced; properties that it learns later still come through. */
export function wrappedModel(model: Model, replaced: Partial<Model>): Model {
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = Object.hasOwn(replaced, key)
        ? Reflect.get(replaced, key)
        : Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    has: (target, key) => key in replaced || key in target,
  });
}
