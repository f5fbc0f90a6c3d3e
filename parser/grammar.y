/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grammar.y - the language.
 *
 * Input: tokens pushed by parse.c, after macros and conditionals; output: the declarations of
 * p->file. Actions only call constructors (ast_make.h). doc/grammar.sh generates the syntax chapter
 * of doc/language.md from the rules. Semantics are not checked here.
 *
 * Statements have no separators: the longest one wins. A rule that ends where its construct could
 * continue has the precedence SHORT, below that of every token that continues it. Where a grammar
 * cannot express this, parse.c gives the token another type: GLUED (a piece of a name after another
 * one, no blank between), STRING_NEXT (adjacent to the string before), RETURN_VOID (no value
 * follows), QUESTION_OLD ('?' as in the language before 4.0), PART (text of a clause of a
 * stopwatch).
 */
%define api.prefix {grammar_}
%define api.pure full
%define api.push-pull push
%define api.location.type {struct extent}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { struct parser *p }

%code requires {
#include "parser/ast_make.h"
#include "parser/ast_make_decl.h"
#include "parser/ast_make_expr.h"
#include "parser/ast_make_probe.h"
#include "parser/ast_make_stmt.h"
#include "parser/ast_make_stopwatch.h"
#include "parser/ast_make_value.h"
#include "parser/parse_message.h"
#include "parser/parser.h"
#include "parser/token.h"
}

%code {
#define YYLLOC_DEFAULT(all, parts, n) ((all) = extent_of(&YYRHSLOC(parts, 0), (n)))
#define YYMAXDEPTH PARSE_DEPTH_MAX

/* The extent from the first of n parts to the last one; some, or all, may be empty. */
static struct extent extent_of(const struct extent *parts, int n)
{
	struct extent all = { NULL, parts[n].last };

	for (int i = 1; i <= n && !all.first; i++)
		all.first = parts[i].first;
	return all;
}

static void grammar_error(const struct extent *at, struct parser *p, const char *message);
}

%union {
	const struct token	*token;
	struct ast_node		*node;
	struct ast_list		*list;
	struct points		*points;
	struct text		*text;
	struct params		*params;
	struct parts		*parts;
	struct loop_keys	*loop_keys;
	struct integer		integer;
	struct order		order;
	int			flag;
}

/* Names of tokens in messages and in the syntax chapter. */
%token END 0 "end of file"
%token <token> IDENT "identifier" IDENT_PRETTY "identifier$" DOLLAR "$name"
%token <token> DOLLAR_PRETTY "$name$" PRETTY "$ or $$"
%token <token> STOPWATCH "'stopwatch'" PROFILE "'profile'" CALLGRAPH "'callgraph'"
%token <token> PRINT "'print'" PRINTLN "'println'" PRINTF "'printf'" PRINTD "'printd'"
%token <token> NUMBER "number" STRING "string" STRING_NEXT "another string" EMBED "'%{'"
%token <token> PROBE "'probe'" GLOBAL "'global'" PRIVATE "'private'" FUNCTION "'function'"
%token <token> IF "'if'" ELSE "'else'" FOR "'for'" FOREACH "'foreach'" WHILE "'while'" IN "'in'"
%token <token> LIMIT "'limit'"
%token <token> RETURN "'return'" RETURN_VOID "'return' without a value" DELETE "'delete'"
%token <token> BREAK "'break'"
%token <token> CONTINUE "'continue'" NEXT "'next'" TRY "'try'" CATCH "'catch'"
%token <token> STRING_TYPE "'string'" LONG_TYPE "'long'"
%token <token> STATISTIC "'@count'" MEDIAN "'@median'" VARIANCE "'@variance'"
%token <token> PERCENTILE "'@percentile'"
%token <token> VARIANCE_OLD "'@variance' of before 3.1"
%token <token> HIST_LOG "'@hist_log'" HIST_LINEAR "'@hist_linear'" CAST "'@cast'" VAR "'@var'"
%token <token> AT_EXPR "'@defined'" AT_ARRAY "'@probewrite'" AT_STRING "'@const'"
%token <token> AT_ENUMNAME "'@enumname'"
%token <token> AT_REGISTER "'@kregister'" AT_DEREF "'@kderef'"
%token <token> ADD_SAMPLE "'<<<'" SET_ADD "'+='" SET_SUB "'-='" SET_MUL "'*='" SET_DIV "'/='"
%token <token> SET_MOD "'%='"
%token <token> SET_SHIFT_LEFT "'<<='" SET_SHIFT_RIGHT "'>>='" SET_AND "'&='" SET_XOR "'^='"
%token <token> SET_OR "'|='"
%token <token> SET_CONCAT "'.='"
%token <token> OR "'||'" AND "'&&'" EQUAL "'=='" NOT_EQUAL "'!='" AT_MOST "'<='" AT_LEAST "'>='"
%token <token> MATCHES "'=~'"
%token <token> MATCHES_NOT "'!~'" SHIFT_LEFT "'<<'" SHIFT_RIGHT "'>>'" SHIFT_RIGHT_U "'>>>'"
%token <token> INCREMENT "'++'" DECREMENT "'--'" ARROW "'->'"
%token <token> '=' '?' ':' '|' '^' '&' '<' '>' '.' '+' '-' '*' '/' '%' '!' '~' '(' ')' '[' ']'
%token <token> '{' '}' ',' ';'
%token <token> QUESTION_OLD "'?' of before 4.0" GLUED "the rest of a name" PART "text of a clause"
%token <token> TO "'to'" BY "'by'" WITH "'with'" SHOW "'show'"
/* Tokens that no rule uses: junk, unknown operators and @words, resume points after an error. */
%token <token> JUNK "junk" OTHER "unknown operator" AT_OTHER "unknown @word" RESUME "where to go on"

%precedence SHORT
%precedence ELSE ';' '(' '[' PRETTY INCREMENT DECREMENT OLD_ELSE
%right '=' ADD_SAMPLE SET_ADD SET_SUB SET_MUL SET_DIV SET_MOD SET_SHIFT_LEFT SET_SHIFT_RIGHT
	SET_AND SET_XOR SET_OR SET_CONCAT
%right '?' QUESTION_OLD
%left OR
%left AND
%left '|'
%left '^'
%left '&'
%precedence '.'
%left '+' '-'
%left '*' '/' '%'
%precedence SIGN

%type <token> name word keyword piece function_name member closed_member question assignment
%type <token> comparison_operator
%type <token> shift_operator variable_name mark when_full direction order_operator
%type <flag> type
%type <integer> integer priority size
%type <order> order
%type <params> parameters parameter_list
%type <points> points point sequence part alias_names alias_name
%type <text> text component
%type <parts> parts ends by with show
%type <loop_keys> foreach_names foreach_keys foreach_key_list
%type <list> slice statements variables keys several arguments expressions passed passed_values
%type <node> probe alias function variable function_head body literal string count array
%type <node> histogram block
%type <node> statement simple_statement foreach_head limit key
%type <node> optional_expression
%type <node> expression membership comparison compared shift concatenation concatenated
%type <node> additive operand target reference
%type <node> open_target closed_target value symbol print at_operator passed_value

%%

/* Declarations. */

file:
  %empty
| file declaration
| file error RESUME			{ yyerrok; }

declaration:
  probe					{ ast_make_declaration(p, $1); }
| alias					{ ast_make_declaration(p, $1); }
| function				{ ast_make_declaration(p, $1); }
| PRIVATE function			{ ast_make_private(p, $2); }
| global
| global ';'
| EMBED					{ ast_make_declaration(p, ast_make_embed(p, $1)); }
| stopwatch
| profile
| callgraph

global:
  GLOBAL variables			{ ast_make_globals(p, $2, 0); }
| PRIVATE variables			{ ast_make_globals(p, $2, 1); }
| PRIVATE GLOBAL variables		{ ast_make_globals(p, $3, 1); }

variables:
  variable				{ $$ = ast_make_list(p, NULL, $1); }
| variables ',' variable		{ $$ = ast_make_list(p, $1, $3); }

variable:
  name when_full size			{ $$ = ast_make_global(p, &@$, $1, $2, $3, NULL, NULL); }
| name when_full size '=' literal	{ $$ = ast_make_global(p, &@$, $1, $2, $3, $4, $5); }

when_full:
  %empty				{ $$ = NULL; }
| '%'
| question

size:
  %empty				{ $$ = (struct integer){ 0 }; }
| '[' integer ']'			{ $$ = $2; }

literal:
  string
| integer				{ $$ = ast_make_integer(p, &@$, $1); }

integer:
  NUMBER				{ $$ = (struct integer){ $1, 0 }; }
| '-' NUMBER				{ $$ = (struct integer){ $2, 1 }; }

string:
  text					{ $$ = ast_make_string(p, &@$, $1); }

text:
  STRING				{ $$ = ast_make_text(p, NULL, $1); }
| text STRING_NEXT			{ $$ = ast_make_text(p, $1, $2); }

function:
  function_head body			{ $$ = ast_make_function(p, &@$, $1, $2); }

function_head:
  FUNCTION function_name type '(' parameters ')' priority
					{ $$ = ast_make_function_head(p, $1, $2, $3, $5, $7); }

function_name:
  name
| STRING_TYPE
| LONG_TYPE

type:
  %empty				{ $$ = TYPE_UNKNOWN; }
| ':' STRING_TYPE			{ $$ = TYPE_STRING; }
| ':' LONG_TYPE				{ $$ = TYPE_LONG; }

parameters:
  %empty				{ $$ = NULL; }
| parameter_list
| parameter_list ','

parameter_list:
  name type				{ $$ = ast_make_param(p, NULL, $1, $2); }
| parameter_list ',' name type		{ $$ = ast_make_param(p, $1, $3, $4); }

priority:
  %empty				{ $$ = (struct integer){ 0 }; }
| ':' integer				{ $$ = $2; }

body:
  block
| EMBED					{ $$ = ast_make_embed(p, $1); }

/* A name may be any word except those that are keywords everywhere. */
name:
  word
| IDENT_PRETTY
| DOLLAR
| DOLLAR_PRETTY
| PRETTY
| PRINT
| PRINTLN
| PRINTF
| PRINTD

word:
  IDENT
| STOPWATCH
| PROFILE
| CALLGRAPH

keyword:
  PROBE | GLOBAL | PRIVATE | FUNCTION | IF | ELSE | FOR | FOREACH | IN | LIMIT | RETURN
| RETURN_VOID | DELETE
| WHILE | BREAK | CONTINUE | NEXT | STRING_TYPE | LONG_TYPE | TRY | CATCH

/* Probes. */

probe:
  probe_begin points block		{ $$ = ast_make_probe(p, &@$, $2, $3); }

probe_begin:
  PROBE					{ ast_make_probe_begin(p); }

alias:
  probe_begin alias_names points block	{ $$ = ast_make_alias(p, &@$, $2, $3, $4, NULL, NULL); }
| probe_begin alias_names points block ',' block
					{ $$ = ast_make_alias(p, &@$, $2, $3, $4, $5, $6); }

alias_names:
  alias_name
| alias_names alias_name		{ $$ = ast_make_point_list(p, $1, $2); }

alias_name:
  sequence '='				{ $$ = ast_make_alias_name(p, $1, 0); }
| sequence SET_ADD			{ $$ = ast_make_alias_name(p, $1, 1); }

points:
  point
| points ',' point			{ $$ = ast_make_point_list(p, $1, $3); }

point:
  sequence mark				{ $$ = ast_make_point(p, &@$, $1, $2, NULL, NULL); }
| sequence mark IF '(' expression ')'	{ $$ = ast_make_point(p, &@$, $1, $2, $3, $5); }

mark:
  %empty				{ $$ = NULL; }
| question
| '!'

question:
  '?'
| QUESTION_OLD

sequence:
  part
| sequence '.' part			{ $$ = ast_make_sequence(p, $1, $3); }

part:
  component				{ $$ = ast_make_component(p, &@$, &@1, $1, NULL); }
| component '(' literal ')'		{ $$ = ast_make_component(p, &@$, &@1, $1, $3); }
| '{' points '}'			{ $$ = $2; }

component:
  piece					{ $$ = ast_make_text(p, NULL, $1); }
| component GLUED			{ $$ = ast_make_text(p, $1, $2); }

piece:
  name
| keyword
| '*'

/* Declarations that expand to probes. Their clauses are text. */

stopwatch:
  stopwatch_begin parts ends by with show
					{ ast_make_stopwatch(p, &@$, &(struct clauses){ $2, $3, $4, $5, $6 }); }

stopwatch_begin:
  STOPWATCH				{ ast_make_clauses_begin(p); }

profile:
  profile_begin by show			{ ast_make_profile(p, &@$, NULL, $2, $3); }
| profile_begin PART by show		{ ast_make_profile(p, &@$, &@2, $3, $4); }

profile_begin:
  PROFILE				{ ast_make_clauses_begin(p); }

callgraph:
  callgraph_begin parts with		{ ast_make_callgraph(p, &@$, $2, $3); }

callgraph_begin:
  CALLGRAPH				{ ast_make_clauses_begin(p); }

ends:
  %empty				{ $$ = NULL; }
| TO parts				{ $$ = $2; }

by:
  %empty				{ $$ = NULL; }
| BY parts				{ $$ = $2; }

with:
  %empty				{ $$ = NULL; }
| WITH parts				{ $$ = $2; }

show:
  %empty				{ $$ = NULL; }
| SHOW parts				{ $$ = $2; }

parts:
  PART					{ $$ = ast_make_part(p, NULL, &@1); }
| parts ',' PART			{ $$ = ast_make_part(p, $1, &@3); }

/* Statements. */

block:
  block_begin statements '}'		{ $$ = ast_make_block(p, &@$, $2); }

block_begin:
  '{'					{ ast_make_block_begin(p); }

statements:
  %empty				{ $$ = NULL; }
| statements statement			{ $$ = ast_make_list(p, $1, $2); }

statement:
  simple_statement %prec SHORT
| simple_statement ';'
| ';'					{ $$ = ast_make_word(p, AST_EMPTY, $1); }
| block
| IF '(' expression ')' statement %prec SHORT
					{ $$ = ast_make_if(p, &@$, $1, $3, $5, NULL); }
| IF '(' expression ')' statement ELSE statement
					{ $$ = ast_make_if(p, &@$, $1, $3, $5, $7); }
| WHILE '(' expression ')' statement	{ $$ = ast_make_while(p, &@$, $1, $3, $5); }
| FOR '(' optional_expression ';' optional_expression ';' optional_expression ')' statement
					{ $$ = ast_make_for(p, &@$, $1, $3, $5, $7, $9); }
| foreach_head statement		{ $$ = ast_make_foreach(p, &@$, $1, $2); }
| TRY block CATCH block			{ $$ = ast_make_try(p, &@$, $1, $2, NULL, $4); }
| TRY block CATCH '(' name ')' block	{ $$ = ast_make_try(p, &@$, $1, $2, $5, $7); }
| error RESUME				{ $$ = NULL; yyerrok; }

simple_statement:
  expression %prec SHORT		{ $$ = ast_make_expression_statement(p, &@$, $1); }
| RETURN expression %prec SHORT		{ $$ = ast_make_return(p, &@$, $1, $2); }
| RETURN_VOID				{ $$ = ast_make_return(p, &@$, $1, NULL); }
| DELETE expression %prec SHORT		{ $$ = ast_make_delete(p, &@$, $1, $2); }
| BREAK					{ $$ = ast_make_word(p, AST_BREAK, $1); }
| CONTINUE				{ $$ = ast_make_word(p, AST_CONTINUE, $1); }
| NEXT					{ $$ = ast_make_word(p, AST_NEXT, $1); }

optional_expression:
  %empty				{ $$ = NULL; }
| expression

foreach_head:
  FOREACH '(' foreach_names IN array slice order limit ')'
					{ $$ = ast_make_foreach_head(p, $1, $3, $5, $6, $7, $8); }

foreach_names:
  foreach_keys
| name direction '=' foreach_keys	{ $$ = ast_make_foreach_value(p, $4, $1, $2); }

foreach_keys:
  name direction			{ $$ = ast_make_foreach_key(p, NULL, $1, $2); }
| '[' foreach_key_list ']'		{ $$ = $2; }

foreach_key_list:
  name direction			{ $$ = ast_make_foreach_key(p, NULL, $1, $2); }
| foreach_key_list ',' name direction	{ $$ = ast_make_foreach_key(p, $1, $3, $4); }

direction:
  %empty				{ $$ = NULL; }
| '+'
| '-'

slice:
  %empty				{ $$ = NULL; }
| '[' keys ']'				{ $$ = $2; }

order:
  direction				{ $$ = (struct order){ NULL, $1 }; }
| order_operator '+'			{ $$ = (struct order){ $1, $2 }; }
| order_operator '-'			{ $$ = (struct order){ $1, $2 }; }

order_operator:
  STATISTIC
| VARIANCE
| VARIANCE_OLD

limit:
  %empty				{ $$ = NULL; }
| LIMIT expression			{ $$ = $2; }

/* Expressions. */

expression:
  membership
| expression OR expression		{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| expression AND expression		{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| expression '|' expression		{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| expression '^' expression		{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| expression '&' expression		{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| expression '?' expression ':' expression %prec '?'
					{ $$ = ast_make_ternary(p, &@$, $1, $2, $3, $5); }
| expression QUESTION_OLD expression ':' expression %prec OLD_ELSE
					{ $$ = ast_make_ternary(p, &@$, $1, $2, $3, $5); }
| expression assignment expression %prec '='
					{ $$ = ast_make_assignment(p, &@$, $1, $2, $3); }

assignment:
  '=' | ADD_SAMPLE | SET_ADD | SET_SUB | SET_MUL | SET_DIV | SET_MOD | SET_SHIFT_LEFT
| SET_SHIFT_RIGHT | SET_AND
| SET_XOR | SET_OR | SET_CONCAT

/* Neither [x] nor 'in' can be an operand of a tighter operator. */
membership:
  comparison
| comparison IN array			{ $$ = ast_make_in(p, &@$, ast_make_list(p, NULL, $1), $2, $3); }
| '[' expression ']' IN array		{ $$ = ast_make_in(p, &@$, ast_make_list(p, NULL, $2), $4, $5); }
| '[' several ']' IN array		{ $$ = ast_make_in(p, &@$, $2, $4, $5); }
| '[' expression ']'			{ $$ = $2; }

several:
  '*'					{ $$ = ast_make_list(p, NULL, NULL); }
| '*' ',' keys				{ $$ = ast_make_list_after(p, NULL, $3); }
| expression ',' keys			{ $$ = ast_make_list_after(p, $1, $3); }

keys:
  key					{ $$ = ast_make_list(p, NULL, $1); }
| keys ',' key				{ $$ = ast_make_list(p, $1, $3); }

key:
  expression
| '*'					{ $$ = NULL; }

comparison:
  compared
| shift MATCHES string			{ $$ = ast_make_regex(p, &@$, $1, $2, $3); }
| shift MATCHES_NOT string		{ $$ = ast_make_regex(p, &@$, $1, $2, $3); }

compared:
  shift
| compared comparison_operator shift	{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }

comparison_operator:
  '<' | '>' | AT_MOST | AT_LEAST | EQUAL | NOT_EQUAL

shift:
  concatenation
| shift shift_operator concatenation	{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }

shift_operator:
  SHIFT_LEFT | SHIFT_RIGHT | SHIFT_RIGHT_U

concatenation:
  additive %prec SHORT
| concatenated				{ $$ = ast_make_concatenation(p, &@$, $1); }

concatenated:
  additive '.' additive			{ $$ = ast_make_concatenated(p, $1, $2, $3); }
| concatenated '.' additive		{ $$ = ast_make_concatenated_more(p, $1, $3); }

additive:
  operand
| additive '+' additive			{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| additive '-' additive			{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| additive '*' additive			{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| additive '/' additive			{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| additive '%' additive			{ $$ = ast_make_binary(p, &@$, $1, $2, $3); }
| '+' additive %prec SIGN		{ $$ = ast_make_unary(p, &@$, $1, $2); }
| '-' additive %prec SIGN		{ $$ = ast_make_unary(p, &@$, $1, $2); }
| '!' additive %prec SIGN		{ $$ = ast_make_unary(p, &@$, $1, $2); }
| '~' additive %prec SIGN		{ $$ = ast_make_unary(p, &@$, $1, $2); }

operand:
  target %prec SHORT
| INCREMENT target			{ $$ = ast_make_crement(p, &@$, $1, $2, 1); }
| DECREMENT target			{ $$ = ast_make_crement(p, &@$, $1, $2, 1); }
| target INCREMENT			{ $$ = ast_make_crement(p, &@$, $2, $1, 0); }
| target DECREMENT			{ $$ = ast_make_crement(p, &@$, $2, $1, 0); }

target:
  reference
| '&' reference				{ $$ = ast_make_address(p, &@$, $1, $2); }

reference:
  value %prec SHORT
| open_target %prec SHORT		{ $$ = ast_make_target(p, &@$, $1); }
| closed_target				{ $$ = ast_make_target(p, &@$, $1); }

open_target:
  DOLLAR				{ $$ = ast_make_dollar(p, $1); }
| PRETTY				{ $$ = ast_make_dollar(p, $1); }
| CAST '(' expression ',' string ')'	{ $$ = ast_make_cast(p, $1, $3, $5, NULL); }
| CAST '(' expression ',' string ',' string ')'
					{ $$ = ast_make_cast(p, $1, $3, $5, $7); }
| VAR '(' string ')'			{ $$ = ast_make_var(p, $1, $3, NULL); }
| VAR '(' string ',' string ')'		{ $$ = ast_make_var(p, $1, $3, $5); }
| value ARROW member			{ $$ = ast_make_member(p, ast_make_autocast(p, $1), $3); }
| value '[' expression ']'		{ $$ = ast_make_element(p, ast_make_autocast(p, $1), $2, $3); }
| open_target ARROW member		{ $$ = ast_make_member(p, $1, $3); }
| open_target '[' expression ']'	{ $$ = ast_make_element(p, $1, $2, $3); }

/* $ and $$ cannot be followed by a member or an element. */
closed_target:
  DOLLAR_PRETTY				{ $$ = ast_make_dollar(p, $1); }
| value ARROW closed_member		{ $$ = ast_make_member(p, ast_make_autocast(p, $1), $3); }
| open_target ARROW closed_member	{ $$ = ast_make_member(p, $1, $3); }
| open_target PRETTY			{ $$ = ast_make_pretty(p, $1, $2); }

member:
  word
| keyword
| DOLLAR
| PRINT
| PRINTLN
| PRINTF
| PRINTD

closed_member:
  IDENT_PRETTY
| DOLLAR_PRETTY
| PRETTY

value:
  NUMBER				{ $$ = ast_make_integer(p, &@$, (struct integer){ $1, 0 }); }
| string
| EMBED					{ $$ = ast_make_embed(p, $1); }
| '(' expression ')'			{ $$ = $2; }
| symbol
| print
| at_operator
| histogram '[' expression ']'		{ $$ = ast_make_bucket(p, &@$, $1, $3); }

symbol:
  variable_name %prec SHORT		{ $$ = ast_make_name(p, $1); }
| variable_name '(' passed ')'		{ $$ = ast_make_call(p, &@$, $1, $3); }
| variable_name '[' keys ']'		{ $$ = ast_make_index(p, &@$, $1, $3); }

variable_name:
  word
| IDENT_PRETTY

passed:
  %empty				{ $$ = NULL; }
| passed_values

passed_values:
  passed_value				{ $$ = ast_make_list(p, NULL, $1); }
| passed_values ',' passed_value	{ $$ = ast_make_list(p, $1, $3); }

passed_value:
  expression
| word ':' expression			{ $$ = ast_make_named(p, &@$, $1, $3); }
| keyword ':' expression		{ $$ = ast_make_named(p, &@$, $1, $3); }

arguments:
  %empty				{ $$ = NULL; }
| expressions

expressions:
  expression				{ $$ = ast_make_list(p, NULL, $1); }
| expressions ',' expression		{ $$ = ast_make_list(p, $1, $3); }

print:
  PRINT '(' expressions ')'		{ $$ = ast_make_print(p, &@$, $1, $3); }
| PRINT '(' histogram ')'		{ $$ = ast_make_print(p, &@$, $1, ast_make_list(p, NULL, $3)); }
| PRINTLN '(' arguments ')'		{ $$ = ast_make_print(p, &@$, $1, $3); }
| PRINTLN '(' histogram ')'		{ $$ = ast_make_print(p, &@$, $1, ast_make_list(p, NULL, $3)); }
| PRINTF '(' string ')'			{ $$ = ast_make_printf(p, &@$, $1, $3, NULL); }
| PRINTF '(' string ',' expressions ')'	{ $$ = ast_make_printf(p, &@$, $1, $3, $5); }
| PRINTD '(' string ',' expressions ')'	{ $$ = ast_make_printd(p, &@$, $1, $3, $5); }

at_operator:
  STATISTIC '(' expression ')'		{ $$ = ast_make_statistic(p, &@$, $1, $3); }
| MEDIAN '(' expression ')'		{ $$ = ast_make_statistic(p, &@$, $1, $3); }
| VARIANCE '(' expression ')'		{ $$ = ast_make_statistic(p, &@$, $1, $3); }
| VARIANCE '(' expression ',' integer ')'
					{ $$ = ast_make_statistic_of(p, &@$, $1, $3, $5, INT64_MAX); }
| PERCENTILE '(' expression ',' integer ')'
					{ $$ = ast_make_statistic_of(p, &@$, $1, $3, $5, 100); }
| AT_EXPR '(' expression ')'		{ $$ = ast_make_at(p, &@$, $1, $3, NULL, NULL); }
| AT_ARRAY '(' array ')'		{ $$ = ast_make_at(p, &@$, $1, $3, NULL, NULL); }
| AT_STRING '(' string ')'		{ $$ = ast_make_at(p, &@$, $1, $3, NULL, NULL); }
| AT_ENUMNAME '(' expression ')'	{ $$ = ast_make_at(p, &@$, $1, $3, NULL, NULL); }
| AT_ENUMNAME '(' expression ',' string ')'
					{ $$ = ast_make_at(p, &@$, $1, $3, $5, NULL); }
| AT_ENUMNAME '(' expression ',' string ',' string ')'
					{ $$ = ast_make_at(p, &@$, $1, $3, $5, $7); }
| AT_REGISTER '(' count ')'		{ $$ = ast_make_at(p, &@$, $1, $3, NULL, NULL); }
| AT_DEREF '(' count ',' expression ')'
					{ $$ = ast_make_at(p, &@$, $1, $3, $5, NULL); }

count:
  integer				{ $$ = ast_make_count(p, &@$, $1); }

array:
  name					{ $$ = ast_make_name(p, $1); }
| histogram

histogram:
  HIST_LOG '(' expression ')'		{ $$ = ast_make_hist_log(p, &@$, $1, $3); }
| HIST_LINEAR '(' expression ',' integer ',' integer ',' integer ')'
					{ $$ = ast_make_hist_linear(p, &@$, $1, $3, $5, $7, $9); }

%%

static void grammar_error(const struct extent *at, struct parser *p, const char *message)
{
	(void)message;		/* "memory exhausted": yyreport_syntax_error() does the others */
	parse_too_deep(p, at);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	yysymbol_kind_t kinds[YYNTOKENS];
	const char *names[YYNTOKENS];
	int n = yypcontext_expected_tokens(context, kinds, YYNTOKENS);

	for (int i = 0; i < n; i++)
		names[i] = yysymbol_name(kinds[i]);
	parse_unexpected(p, names, n > 0 ? (unsigned)n : 0);
	return 0;
}
