<doc id="d1" title="A &quot;quoted&quot; title">
<s>
The	the	DT
bank	bank	NN
's	's	POS
R&amp;D	r&amp;d	NN
<	<	SYM
5	5	CD
,	,	,
</s>
</doc>
<doc id="d2">
<p>
<s>
e	e	NN
<g/>
-	-	SYM
<g/>
mail	mail	NN
</s>
No	no	UH
.	.	SENT
Tag	tag	NN
