<doc id="d1" title="A &quot;quoted&quot; title">
<s>
The	the	DT
bank	bank	NN
's	's	POS
R&amp;D	r&amp;d	NN
<	<	SYM
