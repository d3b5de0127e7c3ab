export {};
//# sourceMappingURL=transport-options.js.map