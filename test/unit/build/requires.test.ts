import { COMPUTED, requiredModules } from '../../../scripts/build/requires';

it.each([
	["const a = require('axios');", ['axios']],
	["import a from 'axios'; export * from './b';", ['./b', 'axios']],
	["const a = import('axios');", ['axios']],
	['const a = require(`axios`);', ['axios']],
	["const a = require.resolve('axios');", ['axios']],
	['const a = require(name);', [COMPUTED]],
	['const a = import(`./${name}`);', [COMPUTED]],
	["if (x) { y = () => require('deep'); }", ['deep']],
	["// require('a')\nconst s = \"require('b')\";", []],
	["__commonJS({ 'x'() { __require('c'); } }); obj.require('d');", []],
])('what %s requires is found', (code, expected) => {
	expect(requiredModules(code)).toEqual(expected);
});
