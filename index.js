// n8n loads the nodes and credentials that package.json names under "n8n"; nothing is
// exported for other code.
module.exports = {};
